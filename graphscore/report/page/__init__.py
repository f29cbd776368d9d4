"""Pages of one file: pictures, tables, reports; inert whatever labels hold."""
