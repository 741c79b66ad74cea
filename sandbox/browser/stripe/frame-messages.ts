/** Messages between the page's script and the frames of the sandbox's origin; both check the origin. */
import type { Appearance, CssFontSource, CustomFontSource, PaymentIntent, StripeError } from '@stripe/stripe-js';
import type { ApiResult, FormParams } from './api.ts';
import type { Language } from './messages.ts';
import type { SessionView } from './onramp-api.ts';
import type { OnrampTheme } from './onramp-form.ts';

/** What a frame needs to know of its page, in the fragment of its address. */
export interface FrameStart {
  readonly pageOrigin: string;
  readonly publishableKey: string;
  readonly language: Language;
}

/** What a card form looks like. */
export interface CardFormLook {
  readonly appearance?: Appearance | undefined;
  readonly fonts?: readonly (CustomFontSource | CssFontSource)[] | undefined;
}

/** From the page to the frame of a card form. `call` is answered by `answer` with its number. */
export type ToCardForm =
  | ({ readonly type: 'look' } & CardFormLook)
  | { readonly type: 'focus' | 'blur' | 'clear' | 'load_error' }
  | { readonly type: 'read_only'; readonly readOnly: boolean }
  | { readonly type: 'server_error'; readonly error: StripeError }
  | { readonly type: 'call'; readonly call: number; readonly what: CardFormCall };

export type CardFormCall =
  /** Is the card complete? Answered with the error, or null. */
  | { readonly name: 'check' }
  /** Confirms a payment with the card, whose digits never leave the frame but to the server. Answered with the result. */
  | {
      readonly name: 'confirm';
      readonly clientSecret: string;
      readonly params: FormParams;
      readonly details: FormParams;
    };

/** From the frame of a card form to the page. */
export type FromCardForm =
  | { readonly type: 'started' | 'submit' }
  | { readonly type: 'focus' | 'blur' | 'escape' }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'change'; readonly empty: boolean; readonly complete: boolean }
  | { readonly type: 'answer'; readonly call: number; readonly answer: StripeError | ApiResult | null };

/** From the page to the frame of a bank's question, and back. */
export type ToChallenge = { readonly type: 'ask'; readonly intent: PaymentIntent; readonly clientSecret: string };
export type FromChallenge = { readonly type: 'started' } | { readonly type: 'answered'; readonly result: ApiResult };

/** From the page to the frame of an onramp session, and back. */
export type ToOnramp =
  | { readonly type: 'open'; readonly clientSecret: string; readonly theme: OnrampTheme }
  | { readonly type: 'look'; readonly theme: OnrampTheme };
export type FromOnramp =
  | { readonly type: 'started' }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'loaded' | 'updated'; readonly session: SessionView };
