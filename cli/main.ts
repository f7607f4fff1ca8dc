/** The `tollgate` command as a process. */
import { makeProgram } from './program.ts';

await makeProgram().parseAsync();
