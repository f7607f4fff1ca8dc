#!/usr/bin/env node
// Starts the command without a build step: tsx reads the TypeScript beside this file.
import { register } from 'tsx/esm/api';

register();
const { makeProgram } = await import('./program.ts');
await makeProgram().parseAsync();
