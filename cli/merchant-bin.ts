/** The file behind `tollgate` in the package of the client. `pack.mjs` bundles it. */
import { makeMerchantProgram } from './merchant.ts';

// The client itself runs on Node 18.17. These commands use more.
if (typeof process.loadEnvFile !== 'function') {
  console.error(`tollgate needs Node 20.12 or newer. This is ${process.version}.`);
  process.exit(1);
}
await makeMerchantProgram()
  .parseAsync()
  .catch((error: Error & { exitCode?: number }) => {
    // If the command line is wrong, the reason has been printed.
    if (error.name !== 'CommanderError') console.error(error);
    process.exit(error.exitCode ?? 1);
  });
