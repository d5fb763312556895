/** Counters of this process, on globalThis because each bundle has its own copy of a module. */
const counters = (globalThis.storefrontCounters ??= { renders: {}, heavyInFlight: 0, heavyPeak: 0 });

export function countRender(page) {
  counters.renders[page] = (counters.renders[page] ?? 0) + 1;
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
