// Tells what the suite itself makes of its client's results: `node verdicts.mjs RESULTS`.
// A test that depends on one that did not pass has no verdict of its own, so it is not passed either.
import fs from 'node:fs'
import suites from 'http-cache-tests/tests/index.mjs'
import { determineTestResult } from 'http-cache-tests/lib/display.mjs'

const WORDS = {
  '✅': 'passed',
  Y: 'yes',
  N: 'no',
  '⛔️': 'failed',
  '⚠️': 'failed',
  '🔹': 'setup',
  '⁉️': 'harness',
  '⚪️': 'dependency',
  '↻': 'retried',
  '-': 'untested'
}

const results = JSON.parse(fs.readFileSync(process.argv[2]))
for (const suite of suites) {
  for (const test of suite.tests) {
    if (test.browser_only) continue
    const symbol = determineTestResult(suites, test.id, results)[2]
    const word = WORDS[symbol]
    if (word === undefined) throw new Error(`${test.id}: unknown verdict ${symbol}`)
    console.log([test.id, test.kind ?? 'required', word, test.name.replace(/\s+/g, ' ')].join('\t'))
  }
}
