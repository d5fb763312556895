/** Counters of this process, on globalThis because each bundle has its own copy of a module. */
const counters = (globalThis.storefrontCounters ??= {
  renders: {},
  requests: {},
  rscRedirects: 0,
  heavyInFlight: 0,
  heavyPeak: 0,
});

/** More paths than the shop has pages are not told apart. */
const PATHS_MAX = 1000;

export function countRender(page) {
  counters.renders[page] = (counters.renders[page] ?? 0) + 1;
}

export function countRequest(url) {
  const path = url.split('?', 1)[0];
  const known = path in counters.requests || Object.keys(counters.requests).length < PATHS_MAX;
  const name = known ? path : 'other';
  counters.requests[name] = (counters.requests[name] ?? 0) + 1;
}

/** The router's request was sent on because its _rsc did not fit its fields. */
export function countRscRedirect() {
  counters.rscRedirects += 1;
}

export function heavyArrived() {
  counters.heavyInFlight += 1;
  counters.heavyPeak = Math.max(counters.heavyPeak, counters.heavyInFlight);
}

export function heavyLeft() {
  counters.heavyInFlight -= 1;
}

export function snapshot() {
  return counters;
}
