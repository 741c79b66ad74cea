import type { MetaDescriptor } from 'react-router';
import { paths } from './paths.ts';

/** What search engines and previews show of a page. */
interface PublicPage {
  readonly path: string;
  /** Name of its prerendered HTML file. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
}

/** Public pages: prerendered at build time and listed in the site map. */
export const publicPages: readonly PublicPage[] = [
  {
    path: paths.home,
    file: 'home.html',
    title: 'Envía dinero a Bolivia',
    description:
      'Envía dinero a Bolivia con tu tarjeta, en dólares o euros. Ves la tasa, la comisión y los bolivianos que llegan antes de pagar.',
  },
  {
    path: paths.landing2,
    file: 'landing2.html',
    title: 'Siempre cerca de casa',
    description:
      'Calcula cuántos bolivianos llegan a tu familia y envíalos desde cualquier lugar, con tarjeta, a su banco o a Tigo Money.',
  },
  {
    path: paths.login,
    file: 'login.html',
    title: 'Iniciar Sesión',
    description: 'Entra a Chasqui o regístrate en menos de 2 minutos para enviar dinero a Bolivia y seguirlo en vivo.',
  },
  {
    path: paths.help,
    file: 'ayuda.html',
    title: 'Ayuda',
    description:
      'Cómo enviar dinero a Bolivia con Chasqui: cuánto cuesta, cuándo llega, cómo se cancela y con quién hablar.',
  },
  {
    path: paths.rateTester,
    file: 'rate-tester.html',
    title: 'Comparación de tasas',
    description: 'Cuántos bolivianos llegan hoy a Bolivia con Chasqui y con otros servicios, por lo mismo que pagas.',
  },
  {
    path: paths.terms,
    file: 'terms.html',
    title: 'Términos de Servicio',
    description: 'Los términos con los que Chasqui recibe tu pago con tarjeta y entrega bolivianos a tu familia.',
  },
  {
    path: paths.privacy,
    file: 'privacy.html',
    title: 'Políticas de Privacidad',
    description: 'Qué datos guarda Chasqui, para qué los usa y cómo los protege.',
  },
];

/** The server knows the public address and fills it in; in a browser it is where the page is. */
const origin = () => (import.meta.env.SSR ? '{{PUBLIC_URL}}' : window.location.origin);

/** Title of the browser tab. */
export const tabTitle = (title: string): string => `${title} · Chasqui`;

/** Title, description, canonical address and preview of a public page, for the `meta` of its route. */
export function publicMeta(path: string): MetaDescriptor[] {
  const page = publicPages.find((known) => known.path === path);
  if (!page) throw new Error(`${path} is no public page`);
  const address = `${origin()}${path}`;
  const { title, description } = page;
  const preview = {
    type: 'website',
    site_name: 'Chasqui',
    locale: 'es_BO',
    url: address,
    title,
    description,
    image: `${origin()}/preview.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Chasqui: envía dinero a Bolivia',
  };
  return [
    { title: tabTitle(title) },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: address },
    ...Object.entries(preview).map(([name, content]) => ({ property: `og:${name}`, content })),
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
