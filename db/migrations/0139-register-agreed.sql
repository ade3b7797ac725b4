-- The versions of the user agreement and of the privacy text that were agreed to with an application; null: none held then.
alter table register_application add user_version int, add privacy_version int;
