/**
 * The challenge page for `redirect_to_url`: the cardholder answers here and is sent back to the merchant. Works without
 * script.
 */
import type { Request, Response } from 'express';
import type { SandboxContext } from '../context.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;background:#f4f4f1;color:#1d1d1b}
main{max-width:26rem;margin:10vh auto;padding:1.5rem;background:#fff;border-radius:.75rem}
h1{font-size:1.3rem;margin:0 0 .5rem}.note{color:#55554f}
form{display:grid;gap:.5rem}button{font:inherit;padding:.7rem;border-radius:.5rem;border:1px solid #767670;background:#fff;color:inherit;cursor:pointer}
button[value=complete]{background:#0b5d4b;border-color:#0b5d4b;color:#fff}:focus-visible{outline:3px solid #b3540a;outline-offset:2px}`;

function page(inner: string): string {
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Verificación del banco (simulador)</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main>${inner}</main></body></html>`;
}

function form(id: string, secret: string, amount: string): string {
  return page(`<h1>Verifica tu pago</h1><p>Importe: <strong>${escaped(amount)}</strong></p>
<p class="note">Simulador: no se cobra ninguna tarjeta. Elige qué responde el banco.</p>
<form method="post" action="/sandbox/stripe/payment_intents/${encodeURIComponent(id)}/challenge">
<input type="hidden" name="client_secret" value="${escaped(secret)}">
<button name="outcome" value="complete">Autorizar el pago</button>
<button name="outcome" value="fail">Rechazar la verificación</button>
<button name="outcome" value="cancel">Cancelar</button></form>`);
}

/** Formats minor units as text, without floating point. */
function amountText(amount: number, currency: string): string {
  const places =
    new Intl.NumberFormat('es', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const digits = String(amount).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${whole}${places > 0 ? `,${digits.slice(-places)}` : ''} ${currency.toUpperCase()}`;
}

/** GET /challenge?payment_intent=&client_secret= */
export function challengePage(context: SandboxContext) {
  return (request: Request, response: Response): void => {
    const { payment_intent: id, client_secret: secret } = request.query;
    const intent = typeof id === 'string' ? context.storage.find('payment_intent', id) : undefined;
    response.type('html').set('cache-control', 'no-store');
    if (!intent || intent.client_secret !== secret) {
      response.status(404).send(page('<h1>No hay ninguna verificación aquí</h1>'));
    } else if (intent.status !== 'requires_action') {
      response.send(page('<h1>Esta verificación ya terminó</h1><p>Vuelve a la página donde pagabas.</p>'));
    } else response.send(form(intent.id, intent.client_secret ?? '', amountText(intent.amount, intent.currency)));
  };
}
