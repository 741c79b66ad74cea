/** The frame of an Element: the card form, which confirms payments with the card itself. */
import type { CssFontSource, CustomFontSource } from '@stripe/stripe-js';
import { build } from '../dom.ts';
import { CardForm } from '../stripe/card-form.ts';
import type { CardFormCall, CardFormLook, FromCardForm, ToCardForm } from '../stripe/frame-messages.ts';
import { linkPage, tellHeight } from './page-link.ts';

const page = linkPage<FromCardForm, ToCardForm>(receive);
const form = new CardForm(
  {
    changed: ({ empty, complete }) => page.tell({ type: 'change', empty, complete }),
    focused: () => page.tell({ type: 'focus' }),
    blurred: () => page.tell({ type: 'blur' }),
    escaped: () => page.tell({ type: 'escape' }),
    submitted: () => page.tell({ type: 'submit' }),
  },
  page.language,
);

document.body.append(form.host);
tellHeight(form.host, page.tell);
page.tell({ type: 'started' });

function receive(message: ToCardForm): void {
  switch (message.type) {
    case 'look':
      look(message);
      break;
    case 'focus':
      form.focus();
      break;
    case 'blur':
      form.blur();
      break;
    case 'clear':
      form.clear();
      break;
    case 'load_error':
      form.showLoadError();
      break;
    case 'read_only':
      form.setReadOnly(message.readOnly);
      break;
    case 'server_error':
      form.showServerError(message.error);
      break;
    case 'call':
      void answer(message.what).then((result) => page.tell({ type: 'answer', call: message.call, answer: result }));
  }
}

function look({ appearance, fonts = [] }: CardFormLook): void {
  form.setAppearance(appearance);
  // Stripe's form shows the page's background: a frame is transparent by default.
  for (const font of fonts) loadFont(font);
}

const loaded = new Set<string>();

/** The page's fonts are available in a frame only if passed to Elements and served with CORS headers. */
function loadFont(font: CustomFontSource | CssFontSource): void {
  const key = JSON.stringify(font);
  if (loaded.has(key)) return;
  loaded.add(key);
  if ('cssSrc' in font) {
    document.head.append(build('link', { rel: 'stylesheet', href: font.cssSrc, crossorigin: 'anonymous' }));
    return;
  }
  const { family, src, style = 'normal', weight = '400', unicodeRange = 'U+0-10FFFF', display = 'swap' } = font;
  document.fonts.add(new FontFace(family, src, { style, weight, unicodeRange, display: display as FontDisplay }));
}

async function answer(call: CardFormCall) {
  const error = form.check();
  if (call.name === 'check') return error;
  if (error) return { error };
  const payment_method_data = { ...call.details, type: 'card', card: form.cardParams() };
  return page.api.confirm(call.clientSecret, { ...call.params, payment_method_data });
}
