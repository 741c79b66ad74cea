import { Migration } from '@mikro-orm/migrations';

/** Why a transfer was rejected, as a code: who reads English is not shown a Spanish sentence. The reason keeps the note alone. */
export class RejectionCodes extends Migration {
  override up(): void {
    this.addSql(`
alter table transfer add column rejection_code text null,
  add constraint transfer_rejection_code_check check (rejection_code in ('recipient_unverified', 'card_not_own', 'purpose_unclear', 'duplicate', 'outside_policy', 'suspected_fraud', 'legal')),
  add constraint transfer_rejection_code_rejected check (rejection_code is null or state = 'rejected');

with sentences (code, sentence) as (values
  ('recipient_unverified', 'No pudimos comprobar los datos de quien recibe.'),
  ('card_not_own', 'La tarjeta no parece ser tuya: paga con una tarjeta a tu nombre.'),
  ('purpose_unclear', 'No pudimos entender para qué es este envío.'),
  ('duplicate', 'Este envío parece repetido: ya hiciste otro igual.'),
  ('outside_policy', 'No podemos hacer este envío según nuestras condiciones.'),
  ('suspected_fraud', 'No podemos hacer este envío por razones de seguridad.'),
  ('legal', 'No podemos hacer este envío por obligaciones legales.')
)
update transfer set rejection_code = code, reason = nullif(btrim(substr(reason, length(sentence) + 1)), '')
from sentences where state = 'rejected' and (reason = sentence or starts_with(reason, sentence || ' '));
`);
  }
}
