import { expect, onTestFinished, test } from 'vitest';
import { ownReasons } from '#core/transfers/own-reasons';
import { loadEnglish, showLanguage } from '../../lib/language.ts';
import { ownReasonText } from './status-badge.tsx';

test.each(Object.values(ownReasons))('our own reason "%s" is shown in Spanish as it is stored', (stored) => {
  expect(ownReasonText(stored)).toBe(stored);
});

test('our own reasons are in English on an English page, those of a person or a bank as they were written', async () => {
  showLanguage('en', await loadEnglish('all'));
  onTestFinished(() => showLanguage('es'));
  expect(ownReasonText(ownReasons.declined_too_often)).toBe('The card was declined 10 times. Nothing was charged.');
  expect(ownReasonText('El CI no coincide.')).toBeNull();
});
