import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { instantSchema, storableText } from '../core/fields';

const code = z
  .string()
  .regex(/^[A-Z]{2}$/, withReason('input.countryCapitals'))
  .meta({ description: 'ISO 3166 code', examples: ['DE'] });

export const countriesOutput = z.array(z.object({ code, name: z.string(), aliases: z.array(z.string()) }));

/** A country and another name that orders use for it. */
export const aliasInput = z.strictObject({ code, alias: z.string().trim().pipe(storableText(200)) });

export const addAliasOutput = z.object({ matched_orders: z.int() });
export const removeAliasOutput = z.object({ unmatched_orders: z.int() });

export const unmatchedCountriesInput = z
  .strictObject({ limit: z.int().min(1).max(500).default(100) })
  .prefault({});

export const unmatchedCountriesOutput = z.array(
  z.object({ country_name: z.string(), orders: z.int(), last_order_at: instantSchema }),
);
