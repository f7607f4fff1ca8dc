/** A refusal of the command line, with a code of the API's catalogue. */
export class Refusal extends Error {
  override name = 'Refusal';
  /** As the API answers it. */
  readonly body: { error: { type: string; code: string; message: string; param: string | null } };

  constructor(code: string, message: string, param: string | null = null) {
    super(message);
    this.body = { error: { type: 'invalid_request', code, message, param } };
  }
}
