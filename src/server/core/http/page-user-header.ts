/** The header in which a page sends the id of the user for whom it was rendered. */
export const PAGE_USER_HEADER = 'x-page-user';
