import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { CreatedPasskey, PasskeyAnswer } from '#core/contracts/http/passkeys';

/** The inputs of an answer; each can be wrong. */
interface Signing {
  readonly origin?: string;
  readonly rpID?: string;
  /** Whether the device verified a fingerprint, a face or a PIN. */
  readonly verified?: boolean;
  readonly counter?: number;
}

type Encodable = Parameters<typeof isoCBOR.encode>[0];

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();

/** A device with one passkey according to Web Authentication: ES256, no attestation, a signature counter. */
export class VirtualAuthenticator {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle: string | undefined;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** What a browser answers to the options for creating a passkey. */
  create({ challenge, user }: { challenge: string; user: { id: string } }, signing: Signing = {}): CreatedPasskey {
    this.#userHandle = user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [kty, alg, curve, xs, ys] = [1, 3, -1, -2, -3];
    const key = new Map<number, number | Uint8Array>([
      [kty, 2],
      [alg, -7],
      [curve, 1],
      [xs, new Uint8Array(Buffer.from(x, 'base64url'))],
      [ys, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, Encodable>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(Buffer.concat([this.#data(signing, true), credential]))],
    ]);
    return {
      ...this.#ids(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, signing),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** What a browser answers to the options for a proof. */
  prove({ challenge }: { challenge: string }, signing: Signing = {}): PasskeyAnswer {
    const clientDataJSON = this.#clientData('webauthn.get', challenge, signing);
    const data = this.#data({ counter: ++this.counter, ...signing }, false);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      ...this.#ids(),
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: this.#userHandle,
      },
    };
  }

  #ids() {
    return { id: base64url(this.#id), rawId: base64url(this.#id), type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Signing): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Hash of the host, flags (present 1, verified 4, with a credential 64) and counter. */
  #data({ rpID = new URL(this.#origin).hostname, verified = true, counter = 0 }: Signing, isNew: boolean): Buffer {
    const end = Buffer.alloc(5);
    end.writeUInt8(1 + (verified ? 4 : 0) + (isNew ? 64 : 0));
    end.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpID), end]);
  }
}
