/** What the checkout has to know of a method of payment. Each method is a folder beside this file. */
import type { VNode } from 'preact';
import type { MethodType, Tender } from '../../domain/method.ts';
import type { PaymentContext } from '../context.ts';
import type { FieldErrors, Form } from '../form.ts';
import type { TextKey } from '../text.ts';

export interface Method {
  readonly type: MethodType;
  /** Its name in the choice of methods. */
  readonly name: TextKey;
  /** The heading above its form. */
  readonly heading: TextKey;
  /** Checks the submitted form. Returns what the customer pays with, or the errors by field. */
  readonly check: (form: Form, now: Date) => { tender: Tender } | { errors: FieldErrors };
  /** The form that begins an attempt. */
  readonly StartForm: (page: PaymentContext) => VNode;
  /** The page of the sandbox bank on which an attempt is decided. */
  readonly BankPage: (page: PaymentContext) => VNode;
  /** Shown while the bank has not decided. Null if the customer needs nothing to pay with. */
  readonly Details: ((page: PaymentContext) => VNode) | null;
  /** Texts that replace others on the pages of an attempt by this method. */
  readonly texts: Readonly<Partial<Record<TextKey, TextKey>>>;
}
