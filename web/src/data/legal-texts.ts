/** The two legal texts, as the sign-up form and their own pages show them. */
export type LegalText = 'terms' | 'privacy';

/** Their text, a heading and a paragraph at a time. */
export const legalTexts: Record<
  LegalText,
  { title: string; sections: readonly (readonly [heading: string, text: string])[] }
> = {
  terms: {
    title: 'Términos de Servicio',
    sections: [
      [
        'Aceptación',
        'Al crear una cuenta y usar Chasqui aceptas estos términos. Si no estás de acuerdo, no uses el servicio.',
      ],
      [
        'El servicio',
        'Chasqui envía dinero a Bolivia. Pagas con tarjeta en dólares o euros y la persona que elijas recibe bolivianos en su banco o billetera móvil.',
      ],
      [
        'Quién puede usarlo',
        'Debes tener al menos 18 años y dar información verdadera y completa, tuya y de tus destinatarios. Cuida tu contraseña: lo que se hace con tu cuenta se te atribuye a ti.',
      ],
      [
        'Uso permitido',
        'No puedes usar Chasqui para actividades ilegales, en nombre de otra persona sin decirlo, ni para esconder el origen del dinero.',
      ],
      [
        'Comisiones y tasa',
        'Antes de pagar ves el monto, la comisión, la tasa y los bolivianos que llegan. Eso es lo que vale para tu envío. Si la tasa cambia antes de pagar, te preguntamos otra vez.',
      ],
      [
        'Pago, revisión y cancelación',
        'Al pagar, el monto se reserva en tu tarjeta y una persona revisa el envío. Si se rechaza, la reserva se libera y no se cobra nada. Puedes cancelar sin costo mientras está en revisión, y durante 30 minutos desde que pagaste si el banco todavía no lo está depositando: te devolvemos todo, comisión incluida. Una vez depositado el dinero no se puede cancelar. Si un envío cobrado no puede entregarse, te devolvemos todo, comisión incluida.',
      ],
      [
        'Responsabilidad',
        'Respondemos por ejecutar el envío como lo confirmaste. No respondemos por datos equivocados del destinatario ni por demoras de bancos ajenos a nosotros.',
      ],
      ['Cambios', 'Si estos términos cambian, te avisaremos antes de tu siguiente envío.'],
      [
        'Ley aplicable',
        'Estos términos se rigen por las leyes de Bolivia, sin quitarte los derechos de tu país de residencia.',
      ],
      ['Contacto', 'Escríbenos por WhatsApp o correo desde la página de Ayuda y te respondemos en español.'],
    ],
  },
  privacy: {
    title: 'Política de Privacidad',
    sections: [
      [
        'Qué datos tenemos',
        'Los que nos das al registrarte, los de tus destinatarios y los de tus envíos. Los datos de tu tarjeta los recibe nuestro proveedor de pagos; nosotros solo vemos la marca y los últimos cuatro dígitos.',
      ],
      [
        'Para qué los usamos',
        'Para hacer tus envíos, cumplir la ley, prevenir fraudes y responderte cuando nos escribes.',
      ],
      ['Cómo los protegemos', 'Viajan cifrados y solo los ve quien los necesita para su trabajo.'],
      [
        'Con quién los compartimos',
        'Con el banco o billetera que paga en Bolivia, con el proveedor de pagos y con las autoridades cuando la ley lo exige. No los vendemos.',
      ],
      ['Tus derechos', 'Puedes pedir ver, corregir o borrar tus datos, salvo los que la ley nos obliga a guardar.'],
      ['Cuánto tiempo', 'Los registros de envíos se guardan 7 años, como exige la ley.'],
      ['Cookies', 'Usamos una sola cookie, la de tu sesión. No usamos cookies de publicidad.'],
      ['Transferencias internacionales', 'Para pagar en Bolivia, los datos necesarios del envío viajan a ese país.'],
      ['Cambios', 'Si esta política cambia, te avisaremos antes de tu siguiente envío.'],
      [
        'Contacto',
        'Para preguntar por tus datos o pedir que los corrijamos o borremos, escríbenos desde la página de Ayuda.',
      ],
    ],
  },
};
