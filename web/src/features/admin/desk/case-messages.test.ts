import { expect, onTestFinished, test } from 'vitest';
import { deskActions } from '#core/operations/desk-action';
import { caseOutcomes } from '#core/operations/desk-case';
import { loadEnglish, showLanguage } from '../../../lib/language.ts';
import { isSpanish } from '../../../testing/english.ts';
import { sampleCase, sampleRequest } from '../../../testing/sample-case.ts';
import { infinitiveOf } from './action-messages.tsx';
import { amountAtStake, resolutionText } from './case-messages.ts';

test('how a case ended by itself is said in the language of the reader, what a person wrote as it was written', async () => {
  const texts = () => caseOutcomes.map((outcome) => resolutionText(sampleCase({ outcome })));
  expect(new Set(texts()).size).toBe(caseOutcomes.length);
  expect(resolutionText(sampleCase({ outcome: 'dispute_won' }))).toBe('La disputa se ganó.');
  showLanguage('en', await loadEnglish('all'));
  onTestFinished(() => showLanguage('es'));
  expect(texts().filter((text) => isSpanish(text))).toEqual([]);
  expect(resolutionText(sampleCase({ resolution: 'Lo pidió el banco.' }))).toBe('Lo pidió el banco.');
});

test('the English phrase of a request follows "asked to" without a second "to"', async () => {
  showLanguage('en', await loadEnglish('all'));
  onTestFinished(() => showLanguage('es'));
  const phrases = deskActions.map((action) => infinitiveOf(sampleCase(), action));
  expect(phrases.filter((phrase) => phrase.startsWith('to '))).toEqual([]);
});

test('a case about a settlement by hand names what is reserved, in the money that is paid', () => {
  const request = sampleRequest({ action: 'pay_by_hand', amount: '1291.17', currency: 'BOB' });
  expect(amountAtStake(sampleCase({ reason: 'settlement_by_hand', operation: null, request }))).toMatch(
    /^Bs\s1\.291,17$/,
  );
});
