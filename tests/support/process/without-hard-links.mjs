import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Makes the program that imports this behave as on a disk without hard links, such as one formatted with exFAT.
fs.promises.link = (from, to) =>
  Promise.reject(
    Object.assign(new Error(`EPERM: operation not permitted, link '${from}' -> '${to}'`), {
      errno: -1,
      code: 'EPERM',
      syscall: 'link',
    }),
  );
syncBuiltinESMExports();
