/**
 * Decodes `a[b][c]=d` bodies and query strings. Arrays come indexed (`x[0]=`) from the SDK, bare (`x[]=`) from curl.
 */
import { invalidRequest } from './errors.ts';

/** A decoded form with strings as values. Arrays stay maps from index to value; the parameter schemas convert them. */
export interface Form {
  [name: string]: Form | string;
}

const PAIRS_MAX = 1000;
const DEPTH_MAX = 8;

function keysOf(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name];
  const rest = name.slice(bracket);
  if (bracket === 0 || !/^(\[[^[\]]*\])+$/.test(rest)) throw invalidRequest(`Invalid parameter name: ${name}`);
  return [name.slice(0, bracket), ...rest.slice(1, -1).split('][')];
}

function put(form: Form, name: string, value: string): void {
  const keys = keysOf(name);
  if (keys.length > DEPTH_MAX) throw invalidRequest(`Parameter nested too deeply: ${keys[0]}`);
  let at = form;
  for (const [depth, given] of keys.entries()) {
    const key = given === '' ? String(Object.keys(at).length) : given;
    if (depth === keys.length - 1) {
      at[key] = value;
      return;
    }
    const next = at[key];
    if (typeof next === 'object') at = next;
    else at = at[key] = Object.create(null) as Form;
  }
}

/** Decodes a form body or a query string without its `?`. Throws StripeError on a malformed name. */
export function decodeForm(text: string): Form {
  const form = Object.create(null) as Form;
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1;
    if (pairs > PAIRS_MAX) throw invalidRequest('Too many parameters.');
    if (name !== '') put(form, name, value);
  }
  return form;
}

/** The form as text that is independent of the order of its parameters. */
export function canonical(form: Form): string {
  const sorted = (value: Form | string): unknown =>
    typeof value === 'string'
      ? value
      : Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key] as Form | string)]);
  return JSON.stringify(sorted(form));
}
