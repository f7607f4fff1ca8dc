#!/usr/bin/env node
// Starts the command without a build step: tsx reads the TypeScript beside this file.
import { register } from 'tsx/esm/api';

register();
await import('./main.ts');
