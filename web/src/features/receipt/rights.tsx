import { Anchor, Text } from '@mantine/core';
import type { ReceiptView } from '#core/contracts/http/receipts';
import classes from './receipt.module.css';

/** What a sender may ask of us and of the authorities (12 CFR 1005.31, 1005.33, 1005.34). */
export function Rights({ receipt }: { receipt: ReceiptView }) {
  const { whatsapp, email } = receipt.contact;
  return (
    <section className={classes.part} aria-labelledby="receipt-rights">
      <h2 className={classes.small} id="receipt-rights">
        Tus derechos
      </h2>
      <div className={classes.rights}>
        <Text>
          <b>Cancelar.</b> Puedes cancelar sin costo mientras una persona revisa tu envío, y durante 30 minutos desde
          que pagaste si el banco todavía no lo está depositando. Te devolvemos todo, comisión incluida, en 3 días
          hábiles como máximo. Lo haces en tu panel, con «Cancelar envío».
        </Text>
        <Text>
          <b>Errores.</b> Si algo salió mal, avísanos dentro de 180 días desde la fecha en que el dinero debía estar
          disponible, con tu nombre, el número de este recibo, qué pasó y cuánto. Lo investigamos en 90 días como máximo
          y te contamos el resultado en los 3 días hábiles siguientes.
        </Text>
        <Text data-testid="receipt-contact">
          <b>Contacto.</b> Chasqui
          {whatsapp && (
            <>
              , WhatsApp{' '}
              <Anchor href={`https://wa.me/${whatsapp}`} underline="always">
                +{whatsapp}
              </Anchor>
            </>
          )}
          {email && (
            <>
              , correo{' '}
              <Anchor href={`mailto:${email}`} underline="always">
                {email}
              </Anchor>
            </>
          )}
          {!whatsapp && !email && ', en la página de Ayuda de este sitio'}.
        </Text>
        <Text>
          <b>Autoridades.</b> Si pagaste desde Estados Unidos, también puedes acudir al regulador de tu estado o a la
          Oficina para la Protección Financiera del Consumidor (CFPB): 855-411-2372, consumerfinance.gov/es.
        </Text>
      </div>
    </section>
  );
}
