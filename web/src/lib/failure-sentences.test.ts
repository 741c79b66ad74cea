import { expect, onTestFinished, test } from 'vitest';
import { plain } from '../testing/plain.ts';
import { failureSentences } from './failure-sentences.ts';
import { loadEnglish, showLanguage } from './language.ts';

/** What is said of refusals, with figures that are not those of today's rules. */
const said = () => [
  failureSentences.too_many_alerts({ most: 7 }),
  failureSentences.too_many_recipients({ most: 70 }),
  failureSentences.amount_too_small({ minimum: '12.50', currency: 'USD' }),
  failureSentences.amount_too_large({ maximumUsd: '4500.00', maximum: '3900.00', currency: 'EUR' }),
  failureSentences.crypto_amount_out_of_range({ minimum: '15.00', maximum: '1200.00', currency: 'USD' }),
  failureSentences.under_age({ minimumAge: 21 }),
  failureSentences.recovery_link_expired({ validForSeconds: 3600 }),
  failureSentences.recovery_link_expired({ validForSeconds: 7200 }),
];

test('a failure of ours gives people the reference that support finds it by', async () => {
  const both = () => [failureSentences.internal({ reference: '7K3M9QXD2F4T' }), failureSentences.unavailable({})];
  expect(both()).toEqual([
    'Ocurrió un error inesperado. Por favor, inténtalo de nuevo. Si nos escribes, indica esta referencia: 7K3M9QXD2F4T.',
    'El servicio no está disponible por el momento. Intenta nuevamente.',
  ]);
});

test('the sentence of a refusal has the figures of the rule that refused, written as its reader writes them', async () => {
  expect(plain(said())).toEqual([
    'Ya tienes 7 alertas en espera. Borra una para crear otra.',
    'Ya tienes 70 destinatarios. Quita uno para añadir otro.',
    'El monto mínimo para enviar es de 12,50 USD/EUR',
    'El monto máximo por envío es de 4.500 USD o su equivalente en EUR.',
    'Puedes comprar entre 15 y 1.200 USD por vez.',
    'Debes ser mayor de 21 años para enviar dinero.',
    'Este enlace caducó: vale una hora. Pide uno nuevo.',
    'Este enlace caducó: vale 2 horas. Pide uno nuevo.',
  ]);
  showLanguage('en', await loadEnglish('public'));
  onTestFinished(() => showLanguage('es'));
  expect(plain(said())).toEqual([
    'You already have 7 alerts waiting. Delete one to create another.',
    'You already have 70 recipients. Remove one to add another.',
    'The minimum amount to send is 12.50 USD/EUR',
    'The maximum amount per transfer is 4,500 USD or its equivalent in EUR.',
    'You can buy between 15 and 1,200 USD at a time.',
    'You must be at least 21 to send money.',
    'This link has expired: it is valid for one hour. Ask for a new one.',
    'This link has expired: it is valid for 2 hours. Ask for a new one.',
  ]);
});
