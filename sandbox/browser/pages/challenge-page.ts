/** The 3-D Secure page for payments that were confirmed with a return address: the bank's answer, then back to the shop. */
import type { ChallengeResult } from '../../control/challenge.ts';
import type { IntentView } from '../../control/views.ts';
import { amountText } from '../stripe/amount.ts';
import { byId, get, say, send } from './control.ts';

const query = new URLSearchParams(window.location.search);
const path = `/sandbox/stripe/payment_intents/${encodeURIComponent(query.get('payment_intent') ?? '')}`;
const answers = byId('answers');

function close(sentence: string): void {
  answers.hidden = true;
  say(sentence, 'bad');
}

async function answer(outcome: string): Promise<void> {
  const body = { outcome, client_secret: query.get('client_secret') ?? '' };
  const { redirectUrl } = await send<ChallengeResult>('POST', `${path}/challenge`, body);
  if (redirectUrl) window.location.replace(redirectUrl);
  else close('Respuesta enviada. Ya puedes cerrar esta página.');
}

for (const button of answers.querySelectorAll('button')) {
  button.addEventListener('click', () => {
    answer(button.dataset.outcome ?? 'cancel').catch(() =>
      say('No se pudo enviar la respuesta. Vuelve a intentarlo.', 'bad'),
    );
  });
}

try {
  const intent = await get<IntentView>(path);
  byId('amount').textContent = amountText(intent.amount, intent.currency);
  if (intent.status !== 'requires_action') close('Este pago ya no espera una confirmación.');
} catch {
  close('Este pago no existe en el simulador.');
}
