import { paths } from '../lib/paths.ts';

/** What search engines and previews show of a page, and the name of its drawing. */
interface PublicPage {
  readonly path: string;
  readonly file: string;
  /** The module of the route, from web/. */
  readonly module: string;
  /** As the page itself names the browser tab. */
  readonly title: string;
  readonly description: string;
}

/** Public pages: prerendered at build time and listed in the site map. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.home,
    file: 'home',
    module: 'src/routes/home.tsx',
    title: 'Envía dinero a Bolivia',
    description:
      'Envía dinero a Bolivia con tu tarjeta, en dólares o euros. Ves la tasa, la comisión y los bolivianos que llegan antes de pagar.',
  },
  {
    path: paths.landing2,
    file: 'landing2',
    module: 'src/routes/landing2.tsx',
    title: 'Siempre cerca de casa',
    description:
      'Calcula cuántos bolivianos llegan a tu familia y envíalos desde cualquier lugar, con tarjeta, a su banco o a Tigo Money.',
  },
  {
    path: paths.login,
    file: 'login',
    module: 'src/routes/login.tsx',
    title: 'Iniciar Sesión',
    description: 'Entra a Chasqui o regístrate en menos de 2 minutos para enviar dinero a Bolivia y seguirlo en vivo.',
  },
  {
    path: paths.help,
    file: 'ayuda',
    module: 'src/routes/help.tsx',
    title: 'Ayuda',
    description:
      'Cómo enviar dinero a Bolivia con Chasqui: cuánto cuesta, cuándo llega, cómo se cancela y con quién hablar.',
  },
  {
    path: paths.rateTester,
    file: 'rate-tester',
    module: 'src/routes/rate-tester.tsx',
    title: 'Comparación de tasas',
    description: 'Cuántos bolivianos llegan hoy a Bolivia con Chasqui y con otros servicios, por lo mismo que pagas.',
  },
  {
    path: paths.terms,
    file: 'terms',
    module: 'src/routes/terms.tsx',
    title: 'Términos de Servicio',
    description: 'Los términos con los que Chasqui recibe tu pago con tarjeta y entrega bolivianos a tu familia.',
  },
  {
    path: paths.privacy,
    file: 'privacy',
    module: 'src/routes/privacy.tsx',
    title: 'Políticas de Privacidad',
    description: 'Qué datos guarda Chasqui, para qué los usa y cómo los protege.',
  },
];
