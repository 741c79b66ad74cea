import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { passkeyOptions } from '#core/contracts/http/passkeys';
import type { secondFactorEndpoints } from '#core/contracts/http/second-factor';
import { writeAudit } from '#domain/audit/audit.repository';
import { challengeMs, PasskeyCopied, placeOf, provePasskey, takeChallenge } from '#domain/sign-in/passkey.repository';
import { proveSecondFactor } from '#domain/sign-in/second-factor.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { SecretBox } from '#platform/secret-box';
import { SecretCookie } from '../access/secret-cookie.ts';
import { ENV } from '../tokens.ts';

/** Checks a proof in a transaction. @throws as `proveSecondFactor` and `provePasskey`. */
export type Prove = (em: EntityManager, userId: string) => Promise<void>;

/** Proofs of second factors, and the cookie that binds a passkey's challenge to the browser that requested it. */
@Injectable()
export class FactorProofs {
  readonly #cookie: SecretCookie;
  /** Where passkeys belong. */
  readonly place: ReturnType<typeof placeOf>;

  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
    @Inject(ENV) env: ApiConfiguration,
  ) {
    this.#cookie = new SecretCookie('chasqui_passkey', env.publicUrl);
    this.place = placeOf(env.publicUrl);
  }

  /** Hands the challenge of some options to the browser, and returns the options. */
  keep(response: Response, options: { challenge: string }): z.output<typeof passkeyOptions> {
    this.#cookie.set(response, options.challenge, challengeMs);
    return { ...options };
  }

  /** Uses up the challenge of a browser. @throws Failure `passkey_refused` without one that counts. */
  takeChallenge(request: Request, creatorId: string | null, at: Date): Promise<string> {
    const challenge = this.#cookie.read(request.headers.cookie);
    return takeChallenge(this.database.fork(), { challenge, creatorId, at });
  }

  /**
   * Prepares the check of a proof. It consumes the passkey's challenge, so it is called before the transaction. @throws
   * Failure `passkey_refused` when the challenge is no longer valid.
   */
  async read(
    request: Request,
    { code, passkey }: z.output<typeof secondFactorEndpoints.proveSecondFactor.body>,
    at: Date,
  ): Promise<Prove> {
    if (!passkey) return (em, userId) => proveSecondFactor(em, { userId, box: this.box, code: code ?? '', at });
    const challenge = await this.takeChallenge(request, null, at);
    return (em, userId) => provePasskey(em, { userId, answer: passkey, challenge, place: this.place, at });
  }

  /** Records that a passkey may have been copied. */
  async noteCopy(error: unknown, userId: string): Promise<void> {
    if (!(error instanceof PasskeyCopied)) return;
    await this.database.transaction((em) => writeAudit(em, 'passkey_copied', { subject: userId }));
  }
}
