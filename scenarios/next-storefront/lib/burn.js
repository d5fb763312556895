/**
 * Burns the given milliseconds of CPU time, not of wall time: a process that gets half a core takes twice as long. Node 20
 * knows only the CPU time of the whole process; later ones know the thread's.
 */
export function burnCpu(millis) {
  const usage = process.threadCpuUsage ? () => process.threadCpuUsage() : () => process.cpuUsage();
  const spentMicros = () => {
    const { user, system } = usage();
    return user + system;
  };
  const end = spentMicros() + millis * 1000;
  let state = 1;
  while (spentMicros() < end) {
    for (let i = 0; i < 20000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    }
  }
  return state;
}
