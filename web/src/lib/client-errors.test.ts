import { expect, it } from 'vitest';
import { clientError } from '#core/contracts/http/client-errors';
import { describe as describeError } from './client-errors.ts';

it('an error is reported by its kind and its places in our files, without message, address or ids', () => {
  const error = new TypeError('Carmen Rojas has no account 1234567');
  error.stack = `TypeError: Carmen Rojas has no account 1234567
    at pay (https://chasqui.example/assets/dashboard-D3a1_x.js:1:2345)
    at https://other.example/tracker.js:1:1
    at async https://chasqui.example/assets/app-B_J.js:2:9`;
  const report = describeError(error, '/recibo/0199b2d0-0000-4000-8000-0000000000f0');
  expect(report).toEqual({
    kind: 'TypeError',
    frames: ['dashboard-D3a1_x.js:1:2345', 'app-B_J.js:2:9'],
    page: '/recibo/:id',
    build: '',
  });
  expect(clientError.parse(report)).toEqual(report);
});

it('an error deep in our files is reported with as many places as the contract takes', () => {
  const error = new Error('x');
  error.stack = Array.from(
    { length: 40 },
    (_, line) => `at f (https://chasqui.example/assets/app.js:${line + 1}:1)`,
  ).join('\n');
  expect(clientError.parse(describeError(error, '/')).frames).toHaveLength(12);
});

it.each([
  ['a text', 'string'],
  [undefined, 'undefined'],
  [{ name: 'Carmen' }, 'object'],
])('a thrown %j is reported by its type alone', (thrown, kind) => {
  const report = describeError(thrown, '/una página que nadie conoce');
  expect(clientError.parse(report)).toEqual({ kind, frames: [], page: '/*', build: '' });
});
