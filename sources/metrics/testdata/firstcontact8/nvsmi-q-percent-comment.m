!nvidia-smi -q
%  
% ==============NVSMI LOG============== 
%  
% Timestamp                           : Fri Dec 09 02:27:00 2016 
% Driver Version                      : 369.30 
%  
% Attached GPUs                       : 2 
% GPU 0000:06:00.0 
%     Product Name                    : GeForce GTX TITAN Z 
%     Product Brand                   : GeForce 
%     Display Mode                    : Enabled 
%     Display Active                  : Enabled 
%     Persistence Mode                : N/A 
%     Accounting Mode                 : Disabled 
%     Accounting Mode Buffer Size     : 1920 
%     Driver Model 
%         Current                     : WDDM 
%         Pending                     : WDDM 
%     Serial Number                   : 0322714071430 
%     GPU UUID                        : GPU-1cf694db-94eb-35b8-347d-a0bbf40d102f 
%     Minor Number                    : N/A 
%     VBIOS Version                   : 80.80.60.00.90 
%     MultiGPU Board                  : Yes 
%     Board ID                        : 0x400 
%     GPU Virtualization Mode 
%         Virtualization mode         : None 
%     PCI 
%         Bus                         : 0x06 
%         Device                   
