/**
 * The page of the browser tests: the unmodified Stripe packages under StrictMode. Its query parameters: `sandbox`
 * (origin), `client_secret`, `redirect`, `resume` (after a reload), `night` (other appearance), `locale`, `amount` and
 * `capture` (Elements made before the payment, for these).
 */
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  Appearance,
  PaymentIntent,
  Stripe,
  StripeElementLocale,
  StripeElementsOptions,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.js';
import { type FormEvent, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(window.location.search);
const clientSecret = query.get('client_secret') ?? '';

interface Outcome {
  paymentIntent?: PaymentIntent;
  error?: StripeError;
}

const appearance: Appearance = {
  theme: query.has('night') ? 'night' : 'stripe',
  variables: {
    fontFamily: 'Figtree, sans-serif',
    colorPrimary: '#0b6b43',
    colorText: query.has('night') ? '#f3f4f8' : '#14213d',
    borderRadius: '8px',
    spacingUnit: '4px',
  },
  rules: { '.Input': { letterSpacing: '0.02em' } },
};

const common = { locale: (query.get('locale') ?? 'es') as StripeElementLocale, appearance };
const options: StripeElementsOptions = query.has('amount')
  ? {
      ...common,
      mode: 'payment',
      amount: Number(query.get('amount')),
      currency: 'eur',
      captureMethod: query.get('capture') as 'manual',
      allowedPaymentMethodTypes: ['card'],
    }
  : {
      ...common,
      clientSecret,
      fonts: [{ family: 'Figtree', src: `url(${window.location.origin}/page-font.woff2)`, weight: '300 900' }],
    };

function Checkout({ show }: { show: (outcome: Outcome) => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [busy, setBusy] = useState(false);
  const [ready, setReady] = useState('cargando');
  const [complete, setComplete] = useState(false);

  // Like the dialogs of UI kits, listens to Escape on window.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape')
        document.body.dataset.escapes = String(Number(document.body.dataset.escapes ?? 0) + 1);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  });

  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements || busy) return;
    setBusy(true);
    const submitted = await elements.submit();
    if (submitted.error) show({ error: submitted.error });
    else {
      const return_url = `${window.location.origin}/vuelta`;
      const options = { elements, clientSecret, confirmParams: { return_url } };
      show(
        query.get('redirect') === 'always'
          ? await stripe.confirmPayment(options)
          : await stripe
              .confirmPayment({ ...options, redirect: 'if_required' })
              .catch((error: Error) => ({ error: { type: error.name, message: error.message } as never })),
      );
    }
    setBusy(false);
  };

  return (
    <form onSubmit={pay} data-ready={ready} data-complete={complete} data-testid="checkout">
      <PaymentElement
        onReady={(element) => setReady(elements?.getElement(PaymentElement) === element ? 'lista' : 'otro elemento')}
        onLoadError={({ error }) => setReady(`error: ${error.code}`)}
        onChange={(event) => setComplete(event.complete)}
      />
      {/* A disabled button would lose the focus. */}
      <button type="submit" aria-disabled={busy}>
        Pagar
      </button>
    </form>
  );
}

function Page({ stripe }: { stripe: Promise<Stripe | null> }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  useEffect(() => {
    if (!query.has('resume')) return;
    void (async () => {
      const loaded = await stripe;
      const { paymentIntent } = (await loaded?.retrievePaymentIntent(clientSecret)) ?? {};
      if (paymentIntent?.status !== 'requires_action') return;
      setOutcome((await loaded?.handleNextAction({ clientSecret })) as Outcome);
    })();
  }, [stripe]);

  return (
    <>
      {query.has('resume') ? null : (
        <Elements stripe={stripe} options={options}>
          <Checkout show={setOutcome} />
        </Elements>
      )}
      <output data-testid="outcome">{outcome ? JSON.stringify(outcome) : ''}</output>
    </>
  );
}

function loadSandboxScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${query.get('sandbox')}/stripe.js`;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('no sandbox script'));
    document.head.append(script);
  });
}

document.documentElement.classList.toggle('night', query.has('night'));

if (window.location.pathname !== '/vuelta') {
  await loadSandboxScript();
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Page stripe={loadStripe('pk_test_sandbox')} />
    </StrictMode>,
  );
}
