import { parseCookie } from 'cookie';
import type { CookieOptions, Response } from 'express';

/** Identifies browsers that have signed in to an account. */
export const deviceCookie = (publicUrl: string): SecretCookie => new SecretCookie('chasqui_device', publicUrl);

/**
 * A cookie with a random secret that only this server reads. With https its name has the prefix `__Host-`: browsers then take
 * it from this host alone, over a secure connection, so that no other host can set one.
 */
export class SecretCookie {
  readonly name: string;
  readonly #options: CookieOptions;

  /** `publicUrl` decides between http and https, because a proxy may end the secure connection before us. */
  constructor(name: string, publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.name = secure ? `__Host-${name}` : name;
    this.#options = { httpOnly: true, sameSite: 'lax', path: '/', secure };
  }

  /** The secret in a Cookie header (32 random bytes, base64url), or null. */
  read(header: string | undefined): string | null {
    const value = parseCookie(header ?? '')[this.name];
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
  }

  /** Gives it to a browser, for some ms, or until the browser is closed. */
  set(response: Response, secret: string, lifetimeMs?: number): void {
    const lifetime = lifetimeMs === undefined ? {} : { maxAge: lifetimeMs };
    response.cookie(this.name, secret, { ...this.#options, ...lifetime });
  }

  /** Takes it away from a browser. */
  clear(response: Response): void {
    response.clearCookie(this.name, this.#options);
  }
}
