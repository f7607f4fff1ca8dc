/** The servers that test/support/setup.mjs started for the whole run. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test.`);
  return value;
}

/** Returns the addresses of the run's servers, and the paths of its programs. */
export function testServers() {
  const programs = fromEnvironment('TEST_PROGRAMS');
  return {
    temporalAddress: fromEnvironment('TEST_TEMPORAL_ADDRESS'),
    mongoUri: fromEnvironment('TEST_MONGODB_URI'),
    testServerPath: fromEnvironment('TEST_SERVER_PATH'),
    /** The folder of the compiled programs. */
    programs,
    workflowBundle: { codePath: path.join(programs, 'workflows', 'bundle.js') },
  };
}

/** Returns a name that no other test file and no other run uses. */
export function privateName(file: string): string {
  return `${file}-${randomBytes(4).toString('hex')}`;
}
