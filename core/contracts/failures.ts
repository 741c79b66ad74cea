import type { FailureCode } from './failure-codes.ts';
import type { BareFailureCode, FailureDetails } from './http/failure-details.ts';

export { type FailureCode, failureCodes } from './failure-codes.ts';

/** What follows the code: left out where a failure needs no details. A union of codes needs them when one of its members does. */
type DetailsOf<Code extends FailureCode> = [Code] extends [BareFailureCode]
  ? [details?: FailureDetails<Code>]
  : [details: FailureDetails<Code>];

/** A failure of the list, thrown anywhere on the server and answered by the api. Its `message` is the code, for logs. */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  override readonly name = 'Failure';
  readonly code: Code;
  /** More for the caller, as data: part of the answer's body. */
  readonly details: FailureDetails<Code>;

  constructor(code: Code, ...[details]: DetailsOf<Code>) {
    super(code);
    this.code = code;
    this.details = details ?? ({} as FailureDetails<Code>);
  }
}
