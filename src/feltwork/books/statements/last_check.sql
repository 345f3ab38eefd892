-- The last check of a link that found nothing wrong.
SELECT number, hash, balances FROM books.checked WHERE link = %s
