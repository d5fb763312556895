/** Next.js calls this once before the first request; the edge runtime, which has no Node modules, is left out. */
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    await import('./lib/watch-server');
  }
}
