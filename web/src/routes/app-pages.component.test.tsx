import { expect, test, vi } from 'vitest';
import { documentLoader } from '../lib/document.ts';
import { chooseLanguage, chosenLanguage } from '../lib/language.ts';
import { showEnglish } from '../testing/english.ts';
import { clientLoader } from './app-pages.tsx';

/** Goes on from an English document to the panel; answers where another document is opened instead. */
async function goOnFrom(path: string): Promise<string | null> {
  await showEnglish();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-BO']);
  vi.spyOn(documentLoader, 'openedAt').mockReturnValue(path);
  const load = async () => clientLoader({ request: new Request('https://chasqui.example/dashboard?from=pay') });
  try {
    return await load();
  } catch (thrown) {
    const { headers } = thrown as Response;
    expect(headers.get('x-remix-reload-document')).toBe('true');
    return headers.get('location');
  }
}

test('going on from the page that is English for everybody loads the next one in the language that was chosen', async () => {
  chooseLanguage('es');
  expect(await goOnFrom('/fixed-stripe')).toBe('https://chasqui.example/dashboard?from=pay');
  expect(chosenLanguage()).toBe('es');
});

test('going on from the page that is English for everybody chooses no language for who never chose one', async () => {
  expect(await goOnFrom('/fixed-stripe')).toBe('https://chasqui.example/dashboard?from=pay');
  expect(chosenLanguage()).toBeUndefined();
});

test('who chose English goes on from the page that is English for everybody without loading anew', async () => {
  chooseLanguage('en');
  expect(await goOnFrom('/fixed-stripe')).toBeNull();
});

test('who came from an English public page keeps English as their choice', async () => {
  expect(await goOnFrom('/en')).toBeNull();
  expect(chosenLanguage()).toBe('en');
});
