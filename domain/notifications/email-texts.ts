import type { EmailData, EmailKind } from './email-kinds.ts';

/** What an e-mail says. */
export interface EmailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Figures and names that are looked up later, each with its label. */
  readonly details?: readonly (readonly [label: string, value: string])[];
  /** On the button with the link. */
  readonly action: string;
}

/** Every e-mail in one language; one that is missing does not compile. */
export interface EmailTexts {
  /** Null: a reader whose name is not known for sure. */
  readonly greeting: (name: string | null) => string;
  readonly foot: string;
  /** On the link by which an optional e-mail is switched off. */
  readonly choose: string;
  readonly kinds: { readonly [Kind in EmailKind]: (data: EmailData<Kind>) => EmailText };
}
