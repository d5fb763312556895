import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));

/** Both roots are named so that a lock file further up the tree cannot move the standalone output. */
export default {
  output: 'standalone',
  outputFileTracingRoot: root,
  turbopack: { root },
};
