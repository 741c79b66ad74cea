/** One row of the product specification that is visible to users. */
export interface Row {
  /** The requirement of the specification; for a message, the exact texts required on the page. */
  readonly says: string | readonly string[];
  /** The settlement that replaces it. A replaced row may still be covered. */
  readonly settledBy?: string;
}

type Rows = Readonly<Record<string, Row>>;

const settled = {
  real: 'simulated timers: real requests, no artificial delay',
  roles: 'role decided in the browser: server roles; setBy is the signed-in admin',
  fee: 'fees 2 % and 3.5 %: 3.5 % everywhere; offline the last seen fee and rate, else 2 % and 8.5, labelled as an estimate',
  rate: "fixed rates: the server's rate; pages about a fixed one label it as a demonstration",
  reference: 'competitor fallbacks: greyed reference values, never in claims',
  empty: 'samples and placeholders: empty means empty, figures are computed',
  delivery: 'delivery times: one estimate of the server in business days of Bolivia',
  works: 'disabled details: they work',
  claims: 'marketing: texts stay; comparative claims are computed from live data or not shown',
  euro: 'one rate for both currencies: each has its own; 1.1 only if no reference was ever seen',
} as const;

/** Section 2: the route table. */
const routes = {
  '/': { says: 'Landing page A' },
  '/landing2': { says: 'Landing page B' },
  '/login': { says: 'Login and sign-up (one page, two tabs)' },
  '/login?signup=true': { says: 'Opens on the sign-up tab' },
  '/dashboard': { says: 'Sender panel (nav label Mi Panel)' },
  '/admin': { says: 'Admin panel (nav label Admin)' },
  '/rate-tester': { says: 'Rate comparison tester' },
  '/scraper': { says: 'Competitor rate scraper page' },
  '/payment-demo': { says: 'Card payment demo page' },
  '/stripe-basic': { says: 'Card payment demo page' },
  '/stripe-simple': { says: 'Card payment demo page' },
  '/stripe-direct': { says: 'Card payment demo page' },
  '/stripe-redirect': { says: 'Card payment demo page' },
  '/simple-stripe': { says: 'Card payment demo page' },
  '/stripe-pago': { says: 'Spanish remittance payment page' },
  '/stripe-demo': { says: 'Fake card form demo' },
  '/stripe-integration': { says: 'Two-step remittance page' },
  '/stripe-integration-crypto': { says: 'Stablecoin purchase page' },
  '/test-login': { says: 'Test login page' },
  '/stripe': { says: 'Same page as /stripe-integration, without its own rate' },
  '/new-stripe': { says: 'Same page as /stripe-integration, without its own rate' },
  '/fixed-stripe': { says: 'English remittance page' },
  '/terms': { says: 'Static legal page' },
  '/privacy': { says: 'Static legal page' },
  '/ayuda': { says: 'Help and contact' },
  '/payment-success': { says: 'Return address of the card provider' },
  'any other path': { says: ['404 Page Not Found', 'Did you forget to add the page to the router?'] },
} as const satisfies Rows;

/** Section 7: the calls a browser makes. */
const calls = {
  'GET /api/rate/{currency}': { says: 'rate (calculator)' },
  'GET /api/scraper/{currency}/{amount}': { says: 'competitors (calculator)' },
  'POST /api/quote': { says: 'quote on every input change' },
  'GET /api/dashboard': { says: 'balance, totalSent' },
  'GET /api/transactions': { says: "the user's transactions" },
  'GET /api/recipients': { says: 'recipients' },
  'GET /api/rate': { says: 'rate, lastUpdated' },
  'GET /api/exchange-rates': { says: 'ourRate, competitors, lastUpdated' },
  'POST /api/new-account/create-payment-intent': { says: 'clientSecret, paymentIntentId' },
  'GET /api/new-account/payment-status/{paymentIntentId}': { says: 'status' },
  'POST /api/new-account/confirm-transaction': { says: 'success, transaction.id' },
  'POST /api/create-payment-intent': { says: 'clientSecret (demo page)' },
  'POST /api/create-onramp-session': { says: 'clientSecret' },
  'POST /api/auth/login': { says: 'token, user' },
  'POST /api/auth/register': { says: 'token, user' },
  'GET /api/admin/transactions': { says: 'list' },
  'GET /api/admin/users': { says: 'list' },
  'GET /api/admin/stats': { says: 'stats' },
  'GET /api/admin/exchange-rate/history': { says: 'list' },
  'POST /api/admin/exchange-rate': { says: 'rate, adminEmail' },
  'POST /api/admin/transactions/{id}/approve': { says: 'empty payload' },
  'POST /api/admin/transactions/{id}/reject': { says: 'empty payload' },
  'POST /api/admin/refresh': { says: 'success, count, message' },
  'POST /api/update-rates': { says: 'updated, failed[]' },
  'GET /api/scraper': { says: 'timestamp, amount, currency, results' },
} as const satisfies Rows;

/** Sections 2, 4, 5 and 8: toasts, validations, states and errors, letter for letter. */
const messages = {
  'login: incomplete': { says: ['Campos incompletos', 'Por favor completa todos los campos requeridos.'] },
  'login: busy': { says: 'Iniciando sesión...' },
  'login: done': { says: ['Acceso exitoso', 'Bienvenido a tu panel de Chasqui'] },
  'login: failed': {
    says: ['Error de inicio de sesión', 'Por favor verifica tus credenciales e intenta nuevamente'],
  },
  'sign-up: incomplete': {
    says: ['Campos incompletos', 'Por favor completa al menos nombre, correo y contraseña'],
  },
  'sign-up: passwords differ': {
    says: ['Las contraseñas no coinciden', 'Por favor asegúrate de que las contraseñas sean iguales'],
  },
  'sign-up: terms': {
    says: ['Términos y condiciones', 'Debes aceptar los términos y condiciones para continuar'],
  },
  'sign-up: terms hint': { says: 'Debes aceptar los términos para continuar' },
  'sign-up: busy': { says: 'Creando cuenta...' },
  'sign-up: done': { says: '¡Cuenta creada exitosamente!' },
  'sign-up: failed': { says: 'Error de registro' },
  'sign-up: failed without a reason': {
    says: 'No pudimos completar tu registro. Por favor verifica tu información e intenta nuevamente.',
  },
  'recovery: required': { says: ['Campo requerido', 'Por favor ingresa tu dirección de correo electrónico'] },
  'recovery: format': { says: ['Formato incorrecto', 'Por favor ingresa una dirección de correo válida'] },
  'recovery: busy': { says: 'Enviando...' },
  'recovery: sent': { says: 'Correo enviado' },
  'recovery: next step': { says: 'Siguiente paso' },
  'recipient: name': { says: 'Nombre debe tener al menos 2 caracteres' },
  'recipient: email': { says: 'Email inválido' },
  'recipient: phone': { says: 'Número de teléfono debe tener al menos 8 caracteres' },
  'recipient: ci': { says: 'Número de CI debe tener al menos 5 caracteres' },
  'recipient: bank': { says: 'Banco de destino es requerido' },
  'recipient: account': { says: 'Número de cuenta bancaria debe tener al menos 5 caracteres' },
  'recipient: address': { says: 'Dirección debe tener al menos 5 caracteres' },
  'recipient: city': { says: 'Ciudad es requerida' },
  'recipient: add failed': { says: 'Hubo un problema al registrar el destinatario. Intenta de nuevo.' },
  'recipient: edit failed': { says: 'No se pudo actualizar el destinatario. Intente nuevamente.' },
  'recipients: empty': { says: 'No tienes destinatarios registrados' },
  'transfers: empty': { says: 'No tienes transacciones realizadas' },
  'transfers: none found': { says: 'No se encontraron transacciones' },
  'rate history: empty': { says: 'No hay historial disponible' },
  'transfer: failed': { says: 'Fallido' },
  'transfer: completed': { says: 'Completado' },
  'transfer: rejected': { says: 'Rechazado' },
  'transfer: pending': { says: 'Pendiente' },
  'payment: title': { says: 'Pago Seguro con Tarjeta' },
  'payment: received': { says: ['Pago Recibido con Éxito', 'EN PROCESO', 'Volver al panel'] },
  'payment: delivery': {
    says: 'El destinatario recibirá los fondos en Bolivia en las próximas 24-48 horas',
    settledBy: settled.delivery,
  },
  'payment: minimum': { says: ['Monto inválido', 'El monto mínimo para enviar es de 10 USD/EUR'] },
  'payment: not started': { says: 'No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.' },
  'payment: form missing': { says: ['No se pudo cargar el formulario de pago', 'Reintentar'] },
  'payment: not recorded': {
    says: 'El pago fue recibido pero hubo un problema al registrarlo. Por favor, contacta a soporte.',
  },
  'payment: card error': { says: 'Error en el pago' },
  'payment: unexpected': { says: 'Ocurrió un error inesperado' },
  'payment: processing error': { says: 'Ocurrió un error al procesar el pago' },
  'payment: unexpected, try again': { says: 'Ocurrió un error inesperado. Por favor, inténtalo de nuevo.' },
  'payment: not initialized': { says: 'No se pudo inicializar el pago. Por favor, inténtalo de nuevo.' },
  'payment: service not initialized': {
    says: 'No pudimos inicializar el servicio de pago. Por favor, intenta de nuevo.',
  },
  'payment: succeeded': { says: '¡Pago exitoso!' },
  'payment: processing': { says: 'Tu pago está siendo procesado.' },
  'payment: try again': { says: 'Tu pago no fue exitoso, por favor intenta nuevamente.' },
  'payment: went wrong': { says: 'Algo salió mal.' },
  'payment page: polling': { says: 'Payment is being processed. Please wait a moment.' },
  'payment page: other status': { says: 'Please try again' },
  'payment page: intent failed': { says: 'Failed to create payment intent' },
  'payment page: confirm failed': { says: 'Failed to confirm transaction' },
  'payment page: failed': { says: 'Payment failed' },
  'payment page: unexpected': { says: 'An unexpected error occurred' },
  'payment page: status failed': { says: 'Error checking payment status' },
  'payment page: not initialized': { says: 'Unable to initialize payment. Please try again later.' },
  'fixed page: invalid amount': { says: ['Invalid amount', 'Please enter a valid amount greater than 0'] },
  'demo card: busy': { says: 'Procesando pago...' },
  'crypto: title': { says: 'Compra de Criptomonedas con Tarjeta' },
  'crypto: no client secret': { says: 'No se recibió el clientSecret' },
  'test login: failed': { says: 'No se pudo iniciar sesión ni crear una cuenta de prueba' },
  'comparison: failed': {
    says: 'Error al cargar los datos de comparación. Por favor, inténtelo nuevamente.',
  },
  'comparison: update failed': { says: 'No se pudieron actualizar las tasas. Inténtalo de nuevo.' },
  'comparison: update control': { says: 'Solo dev' },
  'admin: refresh failed': { says: 'No se pudieron actualizar los datos' },
  'admin: rate busy': { says: 'Actualizando...' },
  'admin: rate updated': { says: 'Actualizado' },
  'admin: details': { says: 'Ver detalles', settledBy: settled.works },
  'scraper: failed': { says: 'Error desconocido, por favor intenta nuevamente' },
  'scraper: no data': { says: 'No se encontraron datos. Intenta actualizar nuevamente.' },
} as const satisfies Rows;

/** Sections 4, 5 and 6: states, transitions and rules that are more than a text. */
const rules = {
  logout: { says: 'Logout forgets the session and goes to /' },
  'small menu': { says: 'The mobile menu toggles open and closed, with the same items' },
  'admin link': { says: 'Only an admin sees the Admin link', settledBy: settled.roles },
  'login tabs follow the address': {
    says: 'signup=true opens the sign-up tab; re-syncs when the query string changes',
  },
  'recovery panel': { says: 'The forgot-password link swaps the form for the recovery panel; Volver returns' },
  'remember me': { says: 'A remember-me checkbox (has no effect)', settledBy: settled.works },
  'sign-up button': { says: 'Disabled until the terms box is ticked' },
  'legal modal': { says: 'The links of the terms box open a modal with the text and an Understood button' },
  'calculator quotes': { says: 'A new quote whenever amount, rate or currency changes' },
  'calculator rate': { says: 'A fetched rate overwrites the editable rate field' },
  'search of transactions': { says: 'A search box without visible logic', settledBy: settled.works },
  'sample transactions': { says: 'Sample transactions when the list is empty', settledBy: settled.empty },
  relationship: { says: "Optional; shown as 'Familiar' when empty" },
  'recipient optional fields': { says: 'email and relationship are optional; all fields start empty' },
  'recipient dialog': { says: 'Detalles and Editar; the edit tab is enabled only after Editar; Cancelar resets' },
  'payment intent from 10': { says: 'The continue button is disabled below 10; no payment is opened' },
  'payment steps': { says: 'Amount, then payment, then success; reset returns to the start' },
  'payment return address': { says: 'Confirmed with return address /payment-success, redirect only if required' },
  'demo card': { says: 'Number in fours, at most 19 characters; expiry 5; CVC 3 and masked' },
  'crypto steps': { says: 'Details, card form after the session is created, success' },
  'admin approves': { says: 'Admin moves pending to completed (approve)' },
  'admin rejects': { says: 'Admin moves pending to rejected (reject)' },
  'admin rate entry': {
    says: 'Numeric, step 0.01, min 0, up to two decimals; the button is disabled if empty or no number',
  },
  'admin refresh': { says: 'Admin refresh shows the server message' },
  'scraper amount': { says: 'Numeric, min 1' },
  'better than competitors': { says: 'Rate up to 5% better than competitors', settledBy: settled.claims },
} as const satisfies Rows;

/** Section 9: constants and limits. */
const constants = {
  'currencies USD and EUR': { says: 'USD and EUR; lowercase in payloads' },
  'default amount 100': { says: 'Default send amount 100' },
  'minimum payment 10': { says: 'Minimum payment 10' },
  'maximum 3,000': { says: 'Maximum $3,000 per transaction' },
  'calculator minimum 1': { says: 'Calculator input minimum 1' },
  'fixed page above 0': { says: '/fixed-stripe minimum above 0, step 0.01' },
  'default rate 8.5': { says: 'Default rate shown when none loaded: 8.5 Bs per USD', settledBy: settled.fee },
  'fallback fee 2 %': { says: 'Calculator fallback fee 2% (net 98%)', settledBy: settled.fee },
  'fee 3.5 %': { says: 'Fee 3.5% (net 96.5%)' },
  'fixed rate 6.96': {
    says: 'Fixed 6.96 BOB on simple and demo pages, no fee deducted; a demo form with fee 3.5% and 6.96',
    settledBy: settled.rate,
  },
  'fixed rate 15': {
    says: 'Fixed 15 on /fixed-stripe; fallback 15 on integration pages; dashboard confirm 15',
    settledBy: settled.rate,
  },
  'competitor fallbacks': {
    says: 'USD 7.8 + 4.99 and 7.7 + 3.99, EUR 7.1 + 4.62 and 7.0 + 3.70',
    settledBy: settled.reference,
  },
  'comparison amount 100': { says: 'Comparison default amount 100' },
  'euro at 1.1': { says: 'Euro values converted at 1.1 times the USD figure', settledBy: settled.euro },
  'received = (amount - fee) x rate': { says: 'Received Bs = (amount minus fee) x rate, 2 decimals' },
  'difference percent': { says: '(our rate - theirs) / theirs, 1 decimal' },
  'comparison stale 5 min': { says: 'Page refresh stale time 5 minutes' },
  'rates every 2 hours': { says: 'Rates updated automatically every 2 hours' },
  'delivery estimate': { says: 'Delivery 24 hours; message 24-48 hours', settledBy: settled.delivery },
  'login delay 1.5 s': { says: 'Login 1.5 s', settledBy: settled.real },
  'sign-up delay 2 s': { says: 'Sign-up 2 s', settledBy: settled.real },
  'recovery delay 2 s': { says: 'Recovery 2 s', settledBy: settled.real },
  'recipient save 1 s': { says: 'Simulated recipient save 1 s', settledBy: settled.real },
  'sign-up redirect 1 s': { says: 'Sign-up: 1 s before redirect' },
  'sign-up toast 5 s': { says: 'Sign-up success toast 5 s' },
  'recovery follow-up 1 s, 6 s': { says: 'Recovery: 1 s later the follow-up toast, 6 s' },
  'demo processing 2 s': { says: 'Demo processing 2 s' },
  'polling 2 s': { says: 'Payment status polling 2 s' },
  'toast 5 s, one visible': { says: 'Default toast 5 s, one toast visible at a time' },
  'recipient minimum lengths': { says: 'name 2, phone 8, ci 5, bankName 2, bankAccount 5, address 5, city 2' },
  'minimum age 18': { says: 'Minimum age 18' },
  'retention 7 years': { says: 'Records retention stated in the privacy text: 7 years' },
  'legal pages of 17 May 2025': { says: 'Legal pages last updated 17 May 2025 (modal)' },
  'admin placeholders': {
    says: "1250, 15750, 2, 85, 5, 42, 28; '+12.5% vs ayer', '+8.3% vs mes anterior'",
    settledBy: settled.empty,
  },
  'active 30 days': { says: "'Active' means sent money in the last 30 days" },
  'demo card numbers': { says: 'Demo card test numbers are shown for success and for decline' },
  'coin USDC on Solana': { says: 'Fixed coin USDC on Solana, usd only' },
  'query defaults': { says: 'No retry, never stale, no refetch on window focus' },
} as const satisfies Rows;

/** Everything the specification promises, by kind and name. */
export const specification = {
  route: routes,
  call: calls,
  message: messages,
  rule: rules,
  constant: constants,
} as const;

export type Kind = keyof typeof specification;
/** A row's name, "message login: done". */
export type RowId = { [K in Kind]: `${K} ${keyof (typeof specification)[K] & string}` }[Kind];

/** Every row with its name, in the specification's order. */
export const rows: readonly { id: RowId; kind: Kind; name: string; row: Row }[] = (
  Object.keys(specification) as Kind[]
).flatMap((kind) =>
  Object.entries<Row>(specification[kind]).map(([name, row]) => ({ id: `${kind} ${name}` as RowId, kind, name, row })),
);

/** The texts of a row. */
export function textsOf(id: RowId): readonly string[] {
  const row = rows.find((one) => one.id === id)?.row as Row;
  return typeof row.says === 'string' ? [row.says] : row.says;
}
