import { t } from '@lingui/core/macro';
/** The two legal texts, as the sign-up form and their own pages show them. */
export type LegalText = 'terms' | 'privacy';

/** Their text, a heading and a paragraph at a time. */
export const legalTexts = (): Record<
  LegalText,
  { title: string; sections: readonly (readonly [heading: string, text: string])[] }
> => ({
  terms: {
    title: t`Términos de Servicio`,
    sections: [
      [
        t`Aceptación`,
        t`Al crear una cuenta y usar Chasqui aceptas estos términos. Si no estás de acuerdo, no uses el servicio.`,
      ],
      [
        t`El servicio`,
        t`Chasqui envía dinero a Bolivia. Pagas con tarjeta en dólares o euros y la persona que elijas recibe bolivianos en su banco o billetera móvil.`,
      ],
      [
        t`Quién puede usarlo`,
        t`Debes tener al menos 18 años y dar información verdadera y completa, tuya y de tus destinatarios. Cuida tu contraseña: lo que se hace con tu cuenta se te atribuye a ti.`,
      ],
      [
        t`Uso permitido`,
        t`No puedes usar Chasqui para actividades ilegales, en nombre de otra persona sin decirlo, ni para esconder el origen del dinero.`,
      ],
      [
        t`Comisiones y tasa`,
        t`Antes de pagar ves el monto, la comisión, la tasa y los bolivianos que llegan. Eso es lo que vale para tu envío. Si la tasa cambia antes de pagar, te preguntamos otra vez. Cuando antes de pagar te decimos que recibes la mejor tasa, comparamos la que aceptaste con la nuestra al aprobar el cobro, y vale la que da más bolivianos; nunca menos de lo que aceptaste.`,
      ],
      [
        t`Pago, revisión y cancelación`,
        t`Al pagar, el monto se reserva en tu tarjeta y una persona revisa el envío. Si se rechaza, la reserva se libera y no se cobra nada. Puedes cancelar sin costo mientras está en revisión, y durante 30 minutos desde que pagaste si el banco todavía no lo está depositando: te devolvemos todo, comisión incluida. Una vez depositado el dinero no se puede cancelar. Si un envío cobrado no puede entregarse, te devolvemos todo, comisión incluida.`,
      ],
      [
        t`Responsabilidad`,
        t`Respondemos por ejecutar el envío como lo confirmaste. No respondemos por datos equivocados del destinatario ni por demoras de bancos ajenos a nosotros.`,
      ],
      [t`Cambios`, t`Si estos términos cambian, te avisaremos antes de tu siguiente envío.`],
      [
        t`Ley aplicable`,
        t`Estos términos se rigen por las leyes de Bolivia, sin quitarte los derechos de tu país de residencia.`,
      ],
      [t`Contacto`, t`Escríbenos por WhatsApp o correo desde la página de Ayuda y te respondemos en español.`],
    ],
  },
  privacy: {
    title: t`Política de Privacidad`,
    sections: [
      [
        t`Qué datos tenemos`,
        t`Los que nos das al registrarte, los de tus destinatarios y los de tus envíos y, si verificas tu identidad, los de tu documento y sus fotos. Los datos de tu tarjeta los recibe nuestro proveedor de pagos; nosotros solo vemos la marca, los últimos cuatro dígitos, el país, el titular y un código con el que la reconocemos.`,
      ],
      [
        t`Para qué los usamos`,
        t`Para hacer tus envíos, cumplir la ley, prevenir fraudes y responderte cuando nos escribes.`,
      ],
      [t`Cómo los protegemos`, t`Viajan cifrados y solo los ve quien los necesita para su trabajo.`],
      [
        t`Con quién los compartimos`,
        t`Con el banco o billetera que paga en Bolivia, con el proveedor de pagos y con las autoridades cuando la ley lo exige. No los vendemos.`,
      ],
      [t`Tus derechos`, t`Puedes pedir ver, corregir o borrar tus datos, salvo los que la ley nos obliga a guardar.`],
      [t`Cuánto tiempo`, t`Los registros de envíos se guardan 7 años, como exige la ley.`],
      [
        t`Cookies`,
        t`Usamos dos cookies: la de tu sesión y la que recuerda tu idioma. No usamos cookies de publicidad.`,
      ],
      [t`Transferencias internacionales`, t`Para pagar en Bolivia, los datos necesarios del envío viajan a ese país.`],
      [t`Cambios`, t`Si esta política cambia, te avisaremos antes de tu siguiente envío.`],
      [
        t`Contacto`,
        t`Para preguntar por tus datos o pedir que los corrijamos o borremos, escríbenos desde la página de Ayuda.`,
      ],
    ],
  },
});
