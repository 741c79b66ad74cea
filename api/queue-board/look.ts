import type { createBullBoard } from '@bull-board/api';
import type { QueueName } from '#core/contracts/jobs';
import type { Locale } from '#core/locale/locale';

type Look = NonNullable<NonNullable<Parameters<typeof createBullBoard>[0]['options']>['uiConfig']>;

const font = 'Figtree, system-ui, -apple-system, "Segoe UI", sans-serif';

const texts = {
  es: {
    tag: 'es-ES',
    title: 'Chasqui · colas',
    back: 'Volver al panel de administración',
    api: 'Documentación de la API',
  },
  en: { tag: 'en-US', title: 'Chasqui · queues', back: 'Back to the admin panel', api: 'API documentation' },
} as const satisfies Record<Locale, object>;

/** The queue dashboard in a language and the product's colours (web/src/app/theme.ts), with a way back to the panel. */
export const boardLook = (language: Locale): Look => ({
  boardTitle: texts[language].title,
  boardLogo: { path: '/mark.svg', width: 32, height: 32 },
  favIcon: { default: '/mark.svg', alternative: '/icons/icon-192.png' },
  locale: { lng: texts[language].tag },
  hideDocsLink: true,
  miscLinks: [
    { text: texts[language].back, url: '/admin' },
    { text: texts[language].api, url: '/api/docs' },
  ],
  theme: {
    light: {
      background: '#fbf8f2',
      foreground: '#14213d',
      card: '#ffffff',
      primary: '#0b6b43',
      'primary-foreground': '#ffffff',
      accent: '#e9f5ee',
      'accent-foreground': '#0b6b43',
      muted: '#f5f0e6',
      'muted-foreground': '#4f4a40',
      secondary: '#f5f0e6',
      'secondary-foreground': '#14213d',
      destructive: '#a41d15',
      border: '#e6dfd2',
      input: '#e6dfd2',
      sidebar: '#f5f0e6',
      'sidebar-foreground': '#14213d',
      'sidebar-accent': '#e6dfd2',
      'sidebar-border': '#e6dfd2',
      'font-sans': font,
    },
    dark: {
      background: '#0f172a',
      foreground: '#f1ede4',
      card: '#162033',
      popover: '#162033',
      primary: '#6fd6a0',
      'primary-foreground': '#0f172a',
      accent: '#12352b',
      'accent-foreground': '#6fd6a0',
      muted: '#25324b',
      'muted-foreground': '#ccd4e2',
      secondary: '#25324b',
      'secondary-foreground': '#ccd4e2',
      destructive: '#ff9d94',
      'destructive-foreground': '#0f172a',
      border: '#2b3954',
      input: '#2b3954',
      sidebar: '#162033',
      'sidebar-foreground': '#ccd4e2',
      'sidebar-accent': '#25324b',
      'sidebar-border': '#2b3954',
      'font-sans': font,
    },
  },
});

/** Descriptions of each queue's jobs. */
export const queueDescriptions: Readonly<Record<QueueName, Readonly<Record<Locale, string>>>> = {
  'stripe-events': {
    es: 'Atiende lo que Stripe avisa de pagos, devoluciones y disputas.',
    en: 'Handles what Stripe reports of payments, refunds and disputes.',
  },
  confirmations: {
    es: 'Lee en Stripe si un pago se hizo, y cancela los que vencieron sin pagar.',
    en: 'Reads from Stripe whether a payment was made, and cancels those that expired unpaid.',
  },
  screenings: {
    es: 'Busca los nombres en las listas de sanciones y pregunta al banco de quién es una cuenta.',
    en: 'Checks names against sanctions lists, and asks the bank whose an account is.',
  },
  decisions: {
    es: 'Cobra o libera la tarjeta según lo decidido, y responde a disputas.',
    en: 'Charges or releases the card as decided, and responds to disputes.',
  },
  payouts: { es: 'Pide al banco que pague a las familias.', en: 'Has the bank pay the families.' },
  refunds: { es: 'Devuelve el dinero a quien lo envió.', en: 'Returns money to its sender.' },
  emails: { es: 'Envía los correos.', en: 'Sends e-mails.' },
  'web-pushes': {
    es: 'Envía los avisos a teléfonos y navegadores.',
    en: 'Sends notifications to phones and browsers.',
  },
  'partner-webhooks': {
    es: 'Avisa a los servidores de los socios.',
    en: 'Sends events to partners’ servers.',
  },
  rates: {
    es: 'Consulta precios y tasas, y aplica los cambios de tasa programados.',
    en: 'Collects prices and rates, and applies scheduled changes of rates.',
  },
  'rate-alerts': {
    es: 'Avisa a quienes esperaban una tasa que se alcanzó.',
    en: 'Notifies people who waited for a rate that was reached.',
  },
  reconciliation: {
    es: 'Compara nuestros libros con lo que dicen Stripe y el banco.',
    en: 'Compares our books with the records of Stripe and the bank.',
  },
  maintenance: {
    es: 'Busca trabajo perdido o atrasado, y borra lo que ya no se guarda.',
    en: 'Finds lost or overdue work, and deletes what is past its retention time.',
  },
};
