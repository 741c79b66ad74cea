import { banks, wallets } from './banks.ts';
import { wordsOf } from './name-check.ts';
import { type RecipientInput, recipientInput } from './recipient.ts';

/** What a code says of a recipient: fields of the form, or why it says none. */
export type RecipientQr =
  | { readonly kind: 'fields'; readonly fields: Partial<RecipientInput> }
  /** Encrypted: only the networks of the banks can read it. */
  | { readonly kind: 'bank_only' }
  | { readonly kind: 'other' };

/**
 * Reads the text of a recipient's QR code. Bolivia's interoperable "QR Simple" is encrypted for the banks, so no account can be read of it. Read
 * are payment codes of EMVCo's Merchant-Presented Mode 1.1 (name and city; which account they mean is each scheme's own), and texts that name their
 * parts, as "Banco: …" on lines or as JSON. What would be refused in the form is left out.
 */
export function readRecipientQr(text: string): RecipientQr {
  const trimmed = text.trim();
  const emv = /^0002\d\d/.test(trimmed) ? readEmv(trimmed) : null;
  const fields = accepted(emv ?? readLabelled(trimmed));
  if (Object.keys(fields).length > 0) return { kind: 'fields', fields };
  // Without spaces or structure, in the letters of base 64 with perhaps the number of a certificate behind it.
  return /^[A-Za-z0-9+/=_-]{40,}(\|[\w-]+)*$/.test(trimmed) ? { kind: 'bank_only' } : { kind: 'other' };
}

/** Validates each field as if it was typed. */
function accepted(found: Partial<Record<keyof RecipientInput, string>>): Partial<RecipientInput> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, value]) => {
      const read = recipientInput.shape[field as keyof RecipientInput].safeParse(value);
      return read.success && read.data !== '' ? [[field, read.data]] : [];
    }),
  );
}

/** Name and city of a code of Bolivia whose check sum is right; null for any other. */
function readEmv(text: string): Partial<Record<keyof RecipientInput, string>> | null {
  const objects = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const [head, tag, length] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (!head || !tag || value.length < Number(length)) return null;
    objects.set(tag, value);
    at += 4 + value.length;
  }
  const sum = objects.get('63');
  if (!text.endsWith(`6304${sum}`) || sum?.toUpperCase() !== crc16(text.slice(0, -4))) return null;
  if (objects.get('58') !== 'BO') return {};
  return { name: objects.get('59') ?? '', city: objects.get('60') ?? '' };
}

/** CRC-16/CCITT-FALSE of a text's UTF-8 bytes, as four hexadecimal digits (EMVCo MPM 1.1, 4.7.3). */
function crc16(text: string): string {
  let sum = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return sum.toString(16).toUpperCase().padStart(4, '0');
}

/** Labels of the parts, with the fields they fill. */
const labels: Readonly<Record<string, keyof RecipientInput>> = {
  ...{ nombre: 'name', titular: 'name', name: 'name', beneficiario: 'name' },
  ...{ banco: 'bankName', bank: 'bankName', entidad: 'bankName' },
  ...{ cuenta: 'bankAccount', account: 'bankAccount' },
  ...{ ci: 'ci', carnet: 'ci', documento: 'ci' },
  ...{ celular: 'phone', telefono: 'phone', phone: 'phone' },
  ...{ ciudad: 'city', city: 'city' },
};

function readLabelled(text: string): Partial<Record<keyof RecipientInput, string>> {
  const found: Partial<Record<keyof RecipientInput, string>> = {};
  for (const [label, value] of partsOf(text)) {
    const words = wordsOf(label.replace(/([a-z])([A-Z])/g, '$1 $2'));
    // "Número de cuenta" and "Nombre del banco" are identified by their last significant word.
    const field = words.flatMap((word) => labels[word] ?? []).at(-1);
    if (field && found[field] === undefined) found[field] = field === 'bankName' ? knownBank(value) : value;
  }
  return found;
}

function partsOf(text: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return [];
    return Object.entries(parsed).flatMap(([label, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[label, String(value)]] : [],
    );
  } catch {
    return text.split(/[\n\r;|]+/).flatMap((part) => {
      const [, label, value] = /^\s*([^:=]{2,40})[:=]\s*(.+)$/.exec(part) ?? [];
      return label && value ? [[label, value]] : [];
    });
  }
}

/** Words that do not identify a bank. */
const commonWords: ReadonlySet<string> = new Set(['banco', 'de', 'bolivia', 'nacional', 'santa', 'cruz']);

/** The bank of our list that is meant, or nothing when none or several are. */
function knownBank(text: string): string {
  const said = wordsOf(text);
  const meant = [...banks, ...wallets].filter((bank) =>
    // "Banco Sol" is one word in our list.
    wordsOf(bank).some((word) => !commonWords.has(word) && (said.includes(word) || said.join('') === word)),
  );
  return meant.length === 1 ? (meant[0] ?? '') : '';
}
