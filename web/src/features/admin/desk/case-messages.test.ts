import { expect, onTestFinished, test } from 'vitest';
import { deskActions } from '#core/operations/desk-action';
import { caseOutcomes } from '#core/operations/desk-case';
import { loadEnglish, showLanguage } from '../../../lib/language.ts';
import { isSpanish } from '../../../testing/english.ts';
import { sampleCase } from '../../../testing/sample-case.ts';
import { infinitiveOf } from './action-messages.tsx';
import { resolutionText } from './case-messages.ts';

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
