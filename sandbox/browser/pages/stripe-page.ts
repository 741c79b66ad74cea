import type Stripe from 'stripe';
import type { IntentView } from '../../control/views.ts';
import type { AccountMode } from '../../stripe/account-mode.ts';
import type { Delivery } from '../../stripe/deliveries.ts';
import type { OnrampView } from '../../stripe/onramp.ts';
import type { OnrampMode } from '../../stripe/onramp-modes.ts';
import { byId, get, Refresher, SettingsForm, send, timeText } from './control.ts';
import { renderDeliveries } from './deliveries.ts';
import { renderDisputes } from './disputes.ts';
import { FaultPanel } from './faults.ts';
import { renderIntents } from './intents.ts';
import { renderOnramp } from './onramp.ts';
import type { SandboxState } from './state.ts';

const page = (): Refresher => refresher;

const faults = new FaultPanel('^/v1/', page);

const mode = new SettingsForm('delivery-mode', (form) => {
  const body = {
    mode: form.text('mode'),
    duplicate: form.number('duplicate'),
    simultaneous: form.number('simultaneous'),
    delayMs: form.number('delayMs'),
    shuffle: form.checked('shuffle'),
  };
  return page().act('Modo de entrega guardado.', () => send('PUT', '/sandbox/stripe/delivery_mode', body));
});

const onramp = new SettingsForm('onramp-mode', (form) => {
  const body = { eventName: form.text('eventName'), disabled: form.checked('disabled') };
  return page().act('Modo de las compras guardado.', () => send('PUT', '/sandbox/stripe/onramp_mode', body));
});

const account = new SettingsForm('account', (form) => {
  const body = { uncoveredRefunds: form.text('uncoveredRefunds') };
  return page().act('Cuenta guardada.', () => send('PUT', '/sandbox/stripe/account', body));
});

new SettingsForm('flush', (form) =>
  page().act('Avisos retenidos en camino.', () =>
    send('POST', '/sandbox/stripe/deliveries/flush', { order: form.text('order') }),
  ),
);

for (const button of byId('advance').querySelectorAll('button')) {
  button.addEventListener('click', () => {
    const seconds = Number(button.dataset.seconds);
    void page().act(`Reloj: ${button.textContent}.`, () => send('POST', '/sandbox/clock/advance', { seconds }));
  });
}

const resetDialog = byId<HTMLDialogElement>('reset-dialog');
byId('reset').addEventListener('click', () => {
  resetDialog.returnValue = '';
  resetDialog.showModal();
});
resetDialog.addEventListener('close', () => {
  if (resetDialog.returnValue !== 'reset') return;
  void page().act('El simulador está como nuevo.', () => send('POST', '/sandbox/reset'));
});

const refresher = new Refresher(async () => {
  const [state, intents, disputes, deliveries, purchases, onrampMode, accountMode] = await Promise.all([
    get<SandboxState>('/sandbox/state'),
    get<{ data: IntentView[] }>('/sandbox/stripe/payment_intents'),
    get<{ data: Stripe.Dispute[] }>('/sandbox/stripe/disputes'),
    get<{ data: Delivery[] }>('/sandbox/stripe/deliveries'),
    get<{ data: OnrampView[] }>('/sandbox/stripe/onramp_sessions'),
    get<OnrampMode>('/sandbox/stripe/onramp_mode'),
    get<AccountMode>('/sandbox/stripe/account'),
  ]);
  const { mode: kind, duplicate, simultaneous, delayMs, shuffle } = state.deliveryModes.global;
  mode.show({ mode: kind, duplicate, simultaneous, delayMs, shuffle });
  faults.show(state.faults);
  byId('clock').textContent = timeText(state.clock.now * 1000);
  renderIntents(byId('intents'), intents.data, page);
  renderDisputes(byId('disputes'), disputes.data, page);
  account.show({ uncoveredRefunds: accountMode.uncoveredRefunds });
  onramp.show({ ...onrampMode });
  renderOnramp(byId('onramp'), purchases.data, page);
  renderDeliveries(byId('deliveries'), deliveries.data, page);
});
