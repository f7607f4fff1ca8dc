/** The servers that test/support/setup.mjs started for the whole run. */
import { randomBytes } from 'node:crypto';

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test.`);
  return value;
}

/** Returns the addresses of the run's servers and the path of its bundle of the workflows. */
export function testServers() {
  return {
    temporalAddress: fromEnvironment('TEST_TEMPORAL_ADDRESS'),
    mongoUri: fromEnvironment('TEST_MONGODB_URI'),
    testServerPath: fromEnvironment('TEST_SERVER_PATH'),
    /** The folder of the compiled programs. */
    programs: fromEnvironment('TEST_PROGRAMS'),
    workflowBundle: { codePath: fromEnvironment('TEST_WORKFLOW_BUNDLE') },
  };
}

/** Returns a name that no other test file and no other run uses. */
export function privateName(file: string): string {
  return `${file}-${randomBytes(4).toString('hex')}`;
}
