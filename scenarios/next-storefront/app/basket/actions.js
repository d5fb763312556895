'use server';

import { cookies } from 'next/headers';
import { revalidatePath } from 'next/cache';
import { countRender } from '../../lib/renders';

const MAX_ITEMS = 20;

/** The basket lives in the visitor's cookie: product numbers, oldest first. */
export async function addToBasket(form) {
  countRender('/basket action');
  const id = String(form.get('product')).replace(/\D/g, '').slice(0, 6);
  const jar = await cookies();
  const held = jar.get('basket')?.value.split('.') ?? [];
  if (id) {
    jar.set('basket', [...held, id].slice(-MAX_ITEMS).join('.'), { httpOnly: true, sameSite: 'lax' });
  }
  revalidatePath('/basket');
}
