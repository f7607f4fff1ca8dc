// Puts the messages and stacks of failures into a payload, which the codec then encrypts. Temporal
// loads a converter by its path, with `require`, so it is a file of its own, in plain JavaScript.
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
