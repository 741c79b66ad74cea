import { z } from 'zod';
import { fieldSentences } from '../field-problems.ts';
import { line } from '../text.ts';
import { id, timestamp } from './values.ts';

/** Maximum passkeys per account: one for each of a person's devices. */
export const passkeysMax = 10;

/** What a person calls one, to know it again. */
export const passkeyName = line(60, fieldSentences.name_required).min(1, fieldSentences.name_required);

export const passkeyView = z.object({
  id,
  name: z.string(),
  createdAt: timestamp,
  /** Null: never yet. */
  lastUsedAt: timestamp.nullable(),
});
export type PasskeyView = z.infer<typeof passkeyView>;

/** The options of `navigator.credentials` in their JSON form (Web Authentication level 3, 5.1.8 and 5.1.9), which the browser knows. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/);
/** Ids have 1023 bytes at most (Web Authentication, 4). */
const credentialId = base64url(1400);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** RegistrationResponseJSON, as far as it is read. */
export const createdPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(16_000),
    transports: z.array(line(30)).max(10).default([]),
  }),
});
export type CreatedPasskey = z.output<typeof createdPasskey>;

/** AuthenticationResponseJSON, as far as it is read. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(100).optional(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;
