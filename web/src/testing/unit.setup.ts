import { beforeEach } from 'vitest';
import { showLanguage } from '../lib/language.ts';

// Whatever language an earlier test showed.
beforeEach(() => showLanguage('es'));
showLanguage('es');
