import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  findPendingSignIn,
  insertPendingSignIn,
  type PendingSignIn,
  pendingSignInMs,
} from '#domain/sign-in/second-factor.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { SecretCookie } from '../access/secret-cookie.ts';
import { ENV } from '../tokens.ts';

/** Sign-ins between password and second factor. Their cookie is no session: all it opens is the second step, for a few minutes. */
@Injectable()
export class PendingSignIns {
  readonly #cookie: SecretCookie;

  constructor(
    private readonly database: Database,
    @Inject(ENV) env: ApiConfiguration,
  ) {
    this.#cookie = new SecretCookie('chasqui_sign_in', env.publicUrl);
  }

  /** Begins one in the transaction of `em`; `keep` hands its cookie to the browser once that has committed. */
  async begin(
    em: EntityManager,
    input: { userId: string; remember: boolean; at: Date },
  ): Promise<{ keep(response: Response): void }> {
    const secret = randomBytes(32).toString('base64url');
    await insertPendingSignIn(em, { ...input, secret });
    return { keep: (response) => this.#cookie.set(response, secret, pendingSignInMs) };
  }

  /** The one of a browser; null when it has none that still waits. */
  async find(request: Request, at: Date): Promise<PendingSignIn | null> {
    const secret = this.#cookie.read(request.headers.cookie);
    return secret ? findPendingSignIn(this.database.fork(), secret, at) : null;
  }

  /** Takes the cookie away from the browser. */
  forget(response: Response): void {
    this.#cookie.clear(response);
  }
}
