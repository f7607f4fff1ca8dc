#!/usr/bin/env node
// Runs the compiled command if there is one, or else the TypeScript beside this file.
import { existsSync } from 'node:fs';

const isCompiled = existsSync(new URL('program.js', import.meta.url));
if (!isCompiled) (await import('tsx/esm/api')).register();
const { makeProgram } = await import(isCompiled ? './program.js' : './program.ts');
await makeProgram()
  .parseAsync()
  .catch((error) => {
    // Of a wrong command line, the reason has been printed.
    if (error.name !== 'CommanderError') console.error(error);
    process.exit(error.exitCode ?? 3);
  });
